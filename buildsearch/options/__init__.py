"""Every option, declared once."""
