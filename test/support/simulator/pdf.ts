/** A label as a carrier would print it: a PDF of one page that names its parcel, of at least so many bytes. */
export function labelPdf(words: string, leastBytes = 0): Response {
  const text = `BT /F 14 Tf 24 360 Td (${words.replace(/[\\()]/g, '')}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 298 420] /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
  ]
  // Bytes that are no text, as real files have them behind their first line.
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  if (leastBytes > 0) file += `%${' '.repeat(leastBytes)}\n`
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return new Response(
    Uint8Array.from(file + table, (letter) => letter.charCodeAt(0)),
    { headers: { 'content-type': 'application/pdf' } },
  )
}
