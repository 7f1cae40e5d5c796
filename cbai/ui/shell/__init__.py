"""Around every page: the sidebar, the menu, the presenter view, contrast and names."""
