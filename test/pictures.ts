/** Small pictures as a browser encodes them, 40 by 24 pixels. */
export const pictures = {
  png: decode(
    "iVBORw0KGgoAAAANSUhEUgAAACgAAAAYCAYAAACIhL/AAAAARklEQVR4AezSsQkAIBAEQbFpe7JJLWKTD0YwXJDx9rrnTb57" +
      "DT8eWD+IIMEqUHsbJFgFam+DBKtA7W2QYBWovQ0SrAK1/wAAAP//OLuGPQAAAAZJREFUAwDXz1UxAQCSGAAAAABJRU5ErkJg" +
      "gg==",
  ),
  jpeg: decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j" +
      "q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk" +
      "pKSkpKSkpKSkpKT/wAARCAAYACgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAA" +
      "AAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAEF/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AmArIAAAAAAAA" +
      "AAf/2Q==",
  ),
  webpLossy: decode(
    "UklGRkIAAABXRUJQVlA4IDYAAAAwAwCdASooABgAPxGGu1csKSYjpWgBgCIJZwDPoA8KmggAAP67YT/7m/Qr620WoNkHDvwAAAA=",
  ),
  webpLossless: decode("UklGRigAAABXRUJQVlA4TBwAAAAvJ8AFEA8wqjF38x84CLON5k97BiW4f0T/o8Yj"),
  webpAlpha: decode(
    "UklGRnwAAABXRUJQVlA4WAoAAAAQAAAAJwAAFwAAQUxQSBQAAAABDzD/ERFCSED4v9YDC/SI/gdYS1ZQOCBCAAAAcAMAnQEqKAAY" +
      "AD7RVqVMqCSjojAaqAEAGgljAM38PTIPfjoAAP72uflGs39721r+Tf/bz5/iuP5N+xzD13CwdgAA",
  ),
};

/** A picture of so many bytes; what comes behind its end is ignored by whoever draws it. */
export function padded(picture: Buffer, length: number): Buffer {
  return Buffer.concat([picture, Buffer.alloc(length - picture.length)]);
}

function decode(text: string): Buffer {
  return Buffer.from(text, "base64");
}
