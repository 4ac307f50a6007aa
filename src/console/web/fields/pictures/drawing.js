/** Pictures that are drawn again in the browser, without the metadata of the camera. */

/**
 * An upright copy with at most so many pixels on its longer side.
 * @param {Blob | HTMLImageElement} source @param {number} maxSide
 * @throws if the browser cannot read it.
 */
export async function drawnCopy(source, maxSide) {
  const picture = source instanceof Blob ? await createImageBitmap(source) : source;
  const { width, height } = picture instanceof ImageBitmap
    ? picture
    : { width: picture.naturalWidth, height: picture.naturalHeight };
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (picture instanceof ImageBitmap) picture.close();
  return canvas;
}

/** As WebP, or as JPEG if the browser cannot write WebP. @type {EncodePicture} */
export async function encoded(canvas, quality) {
  const webp = await blobOf(canvas, "image/webp", quality);
  return webp.type === "image/webp" ? webp : await encodedAsJpeg(canvas, quality);
}

/** Draws on white, because a JPEG cannot be transparent. @type {EncodePicture} */
export async function encodedAsJpeg(canvas, quality) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  return await blobOf(canvas, "image/jpeg", quality);
}

/**
 * @param {HTMLCanvasElement} canvas @param {string} type @param {number} quality
 * @returns {Promise<Blob>}
 */
function blobOf(canvas, type, quality) {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => blob ? resolve(blob) : reject(new Error("Not drawn")), type, quality);
  });
}
