/** Media type of PDF files. */
export const PDF_TYPE = 'application/pdf'

/** Range in which PDF readers look for the header. */
const HEAD_BYTES = 1024

/** Returns true when the bytes, or the start of them, have a PDF header. */
export const hasPdfHeader = (bytes: Buffer) => bytes.subarray(0, HEAD_BYTES).includes('%PDF-')
