"use strict";
// Asks the server for the newest version of this page, and reloads the page if its own version is different.
const { page, version } = document.currentScript.dataset;
const news = new EventSource("/-/news?page=" + encodeURIComponent(page));
news.onmessage = (message) => {
  if (message.data !== version) {
    news.close();
    location.reload();
  }
};
