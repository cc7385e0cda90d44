// The list of versions, from the script that lies beside their folders.
for (const list of document.querySelectorAll(".versions ul")) {
  const root = document.documentElement.dataset.content_root;
  for (const { version, url } of window.kernelwiseVersions ?? []) {
    const link = document.createElement("a");
    link.href = root + url + "index.html";
    link.textContent = version;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
}
