"""What users read: tables, leaderboards, reports."""
