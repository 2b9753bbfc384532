"use strict";
// Asks the server that made this page which version is the newest, and loads the page again when it has another one.
const { page, version } = document.currentScript.dataset;
const news = new EventSource("/-/news?page=" + encodeURIComponent(page));
news.onmessage = (message) => {
  if (message.data !== version) {
    news.close();
    location.reload();
  }
};
