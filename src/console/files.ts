import appJs from "./web/app.js" with { type: "text" };
import iconSvg from "./web/icon.svg" with { type: "text" };
import indexHtml from "./web/index.html" with { type: "text" };
import pagesJs from "./web/pages.js" with { type: "text" };
import themeJs from "./web/theme.js" with { type: "text" };
import coreAnnounceJs from "./web/core/announce.js" with { type: "text" };
import coreApiJs from "./web/core/api.js" with { type: "text" };
import coreCatalogJs from "./web/core/catalog.js" with { type: "text" };
import coreDomJs from "./web/core/dom.js" with { type: "text" };
import coreFrameJs from "./web/core/frame.js" with { type: "text" };
import coreSessionJs from "./web/core/session.js" with { type: "text" };
import coreTextJs from "./web/core/text.js" with { type: "text" };
import fieldsFormJs from "./web/fields/form.js" with { type: "text" };
import fieldsTextFieldJs from "./web/fields/text_field.js" with { type: "text" };
import langEnJs from "./web/lang/en.js" with { type: "text" };
import logicLabelsJs from "./web/logic/labels.js" with { type: "text" };
import pagesHomeJs from "./web/pages/home.js" with { type: "text" };
import pagesSignInJs from "./web/pages/sign_in.js" with { type: "text" };
import styleBaseCss from "./web/style/base.css" with { type: "text" };
import styleFormsCss from "./web/style/forms.css" with { type: "text" };
import styleTokensCss from "./web/style/tokens.css" with { type: "text" };

/** Every file of `web/`, imported by its name so that a compiled program carries it. */
export const FILES = {
  "app.js": appJs,
  "icon.svg": iconSvg,
  "index.html": indexHtml,
  "pages.js": pagesJs,
  "theme.js": themeJs,
  "core/announce.js": coreAnnounceJs,
  "core/api.js": coreApiJs,
  "core/catalog.js": coreCatalogJs,
  "core/dom.js": coreDomJs,
  "core/frame.js": coreFrameJs,
  "core/session.js": coreSessionJs,
  "core/text.js": coreTextJs,
  "fields/form.js": fieldsFormJs,
  "fields/text_field.js": fieldsTextFieldJs,
  "lang/en.js": langEnJs,
  "logic/labels.js": logicLabelsJs,
  "pages/home.js": pagesHomeJs,
  "pages/sign_in.js": pagesSignInJs,
  "style/base.css": styleBaseCss,
  "style/forms.css": styleFormsCss,
  "style/tokens.css": styleTokensCss,
} as const;
