/** The manifest, by which a device installs the console as an app. */

export const MANIFEST_PATH = "/console/app.webmanifest";

/** The addresses of icons have no digest: a new address would ask the person to accept the icon. */
const ICONS = "/console/assets/icon";
const PNG = { type: "image/png" };
const icons = [
  { src: `${ICONS}-192.png`, sizes: "192x192", ...PNG },
  { src: `${ICONS}-512.png`, sizes: "512x512", ...PNG },
  { src: `${ICONS}-maskable.png`, sizes: "512x512", purpose: "maskable", ...PNG },
];

export const MANIFEST = JSON.stringify({
  name: "Personal Records",
  short_name: "Records",
  id: "/",
  start_url: "/",
  scope: "/",
  display: "standalone",
  // As `--paper` in tokens.css.
  theme_color: "#fcfaf6",
  background_color: "#fcfaf6",
  icons,
  shortcuts: [
    { name: "Capture", url: "/console/capture", icons: icons.slice(0, 1) },
    { name: "Today", url: "/", icons: icons.slice(0, 1) },
  ],
  share_target: {
    action: "/console/share",
    method: "POST",
    enctype: "multipart/form-data",
    params: {
      title: "title",
      text: "text",
      url: "url",
      files: [{ name: "files", accept: ["*/*"] }],
    },
  },
});
