import fc from 'fast-check'

const LAST = 0x10_ff_ff
const SURROGATES = { first: 0xd8_00, count: 0x8_00 }

/** Of any characters that there are. What fast-check has for it writes a list of all of them before the first text. */
export const anyText = (maxLength: number) =>
  fc
    .array(fc.nat(LAST - SURROGATES.count), { maxLength })
    .map((points) => String.fromCodePoint(...points.map((point) => (point < SURROGATES.first ? point : point + SURROGATES.count))))
