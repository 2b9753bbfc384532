"use strict";
// Asks the server that made this page for its newest version, and reloads the page if its own version is another one.
const { page, version } = document.currentScript.dataset;
const news = new EventSource("/-/news?page=" + encodeURIComponent(page));
news.onmessage = (message) => {
  if (message.data !== version) {
    news.close();
    location.reload();
  }
};
