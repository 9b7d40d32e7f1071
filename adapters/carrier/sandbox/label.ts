import { CarrierError, type Label } from 'serai/carrier'
import type { Sandbox } from './fields.ts'
import { type Kept, kept } from './store.ts'

// A6 in points.
const [width, height] = [298, 420]
const margin = 24

export async function labels(context: Sandbox, trackingIds: readonly string[]): Promise<Label[]> {
  return Promise.all(trackingIds.map(async (trackingId) => labelOf(await kept(context, trackingId), trackingId)))
}

function labelOf(parcel: Kept | undefined, trackingId: string): Label {
  if (!parcel) throw new CarrierError('not_found', `The sandbox has no parcel ${trackingId}.`)
  return { trackingId, contentType: 'application/pdf', base64: btoa(page(linesOf(parcel))) }
}

function linesOf({ tracking, shipment }: Kept): [size: number, text: string][] {
  const { recipient, destination, codAmount, contents, reference } = shipment
  return [
    [10, 'SANDBOX - for rehearsal, nobody will come'],
    [20, tracking],
    [14, recipient.name],
    [12, [recipient.phone, recipient.phoneAlt].filter(Boolean).join(' / ')],
    [12, destination.address],
    [12, `${destination.cityName}, ${destination.stateCode} ${destination.stateName}`],
    [18, `COD ${codAmount} DZD`],
    [10, contents],
    [10, reference],
  ]
}

/** One page as a PDF, one character a byte. */
function page(lines: readonly [size: number, text: string][]): string {
  let y = height - margin
  const drawn = lines.map(([size, text]) => {
    y -= size * 1.8
    return `BT /F ${size} Tf ${margin} ${y.toFixed(1)} Td (${escaped(text)}) Tj ET`
  })
  const content = drawn.join('\n')
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ])
}

function fileOf(objects: readonly string[]): string {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
}

/** WinAnsi holds Latin letters only; others become question marks. */
const escaped = (text: string) =>
  text
    .slice(0, 60)
    .normalize('NFC')
    .replace(/[^\x20-\x7e\xa0-\xff]/gu, '?')
    .replace(/[\\()]/g, '\\$&')
