import bwip from '@bwip-js/node'

/** Dark rectangles of a symbol, in modules from its top left corner. */
export interface SymbolPattern {
  readonly width: number
  readonly height: number
  readonly dark: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[]
}

/** Characters that Code 128 can encode. */
const PLAIN = /^[\x20-\x7e]+$/

/** Code 128 barcode, one module high. Null when the text has characters that Code 128 cannot encode. */
export function barcodeOf(text: string): SymbolPattern | null {
  if (!PLAIN.test(text)) return null
  const [symbol] = bwip.raw('code128', text)
  if (!symbol || !('sbs' in symbol)) throw new Error('A barcode has no bars.')
  const dark: SymbolPattern['dark'][number][] = []
  let x = 0
  // Bars and spaces alternate, starting with a bar.
  for (const [at, width] of symbol.sbs.entries()) {
    if (at % 2 === 0) dark.push({ x, y: 0, width, height: 1 })
    x += width
  }
  return { width: x, height: 1, dark }
}

/** QR code. Adjacent dark modules of a row form one rectangle. */
export function qrCodeOf(text: string): SymbolPattern {
  const [symbol] = bwip.raw('qrcode', text)
  if (!symbol || !('pixs' in symbol)) throw new Error('A QR code has no modules.')
  const { pixs, pixx, pixy } = symbol
  const dark: SymbolPattern['dark'][number][] = []
  for (let y = 0; y < pixy; y += 1) {
    for (let x = 0, from = -1; x <= pixx; x += 1) {
      const isDark = x < pixx && pixs[y * pixx + x] === 1
      if (isDark && from < 0) from = x
      if (isDark || from < 0) continue
      dark.push({ x: from, y, width: x - from, height: 1 })
      from = -1
    }
  }
  return { width: pixx, height: pixy, dark }
}
