// Offsets: the engine counts bytes of UTF-8, the editor units of UTF-16.

/** The way between both kinds of offsets into a text. */
export class Offsets {
  /** For each unit the bytes before it; absent if all letters are ASCII. */
  private readonly bytes: Uint32Array | undefined;

  constructor(readonly text: string) {
     
    if (/^[\x00-\x7f]*$/.test(text)) {
      return;
    }
    const bytes = new Uint32Array(text.length + 1);
    let at = 0;
    for (let unit = 0; unit < text.length; unit += 1) {
      bytes[unit] = at;
      const code = text.charCodeAt(unit);
      const isHalf = code >= 0xd800 && code < 0xe000;
      at += code < 0x80 ? 1 : code < 0x800 || isHalf ? 2 : 3;
    }
    bytes[text.length] = at;
    this.bytes = bytes;
  }

  /** The bytes before a unit. */
  toBytes(unit: number): number {
    return this.bytes?.[Math.min(unit, this.text.length)] ?? Math.min(unit, this.text.length);
  }

  /** The units before a byte. */
  toUnits(byte: number): number {
    if (this.bytes === undefined) {
      return Math.min(byte, this.text.length);
    }
    let low = 0;
    let high = this.text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.bytes[middle] ?? 0) <= byte) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
