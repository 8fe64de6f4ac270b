"""The workbench over HTTP, for one browser on this machine; needs the extra `serve`."""
