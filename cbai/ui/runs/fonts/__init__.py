"""Small fonts, sent in place of Streamlit's: only the icons and the letters that the app uses."""
