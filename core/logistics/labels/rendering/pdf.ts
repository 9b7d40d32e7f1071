export const PDF = 'application/pdf'

/** A reader looks for it in the first kilobyte. */
const HEAD_BYTES = 1024

/** Whether these bytes, or the beginning of them, say that they are a PDF. */
export const beginsAsPdf = (bytes: Buffer) => bytes.subarray(0, HEAD_BYTES).includes('%PDF-')
