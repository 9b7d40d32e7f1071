import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of files: the code of each, and the sentence that a caller reads. */
export const fileErrors = defineErrors({
  onlyPicturesResized: ['invalid_request', 'Only pictures have other widths. Leave the width out.'],
  tooManyFiles: [
    'rate_limited',
    ({ perMinute, wait }: Values<'perMinute' | 'wait'>) => `At most ${perMinute} files are accepted a minute. Wait ${wait} s.`,
  ],
  filesFull: [
    'limit_reached',
    ({ filesMbPerOwner }: Values<'filesMbPerOwner'>) => `All files together may have at most ${filesMbPerOwner} MB. Delete some first.`,
  ],
  pictureTooLarge: [
    'payload_too_large',
    ({ pixelsMax }: Values<'pixelsMax'>) =>
      `A picture may have at most ${pixelsMax} million pixels, all of its frames together. Make it smaller.`,
  ],
  pictureUnreadable: ['file_unreadable', 'The picture cannot be read, or takes too long to. Save it anew, and try again.'],
  tooManyPictures: ['unavailable', 'Too many pictures are being drawn. Try again in a few seconds.'],
  generatedFilesFull: [
    'limit_reached',
    ({ filesMbPerOwner }: Values<'filesMbPerOwner'>) =>
      `The generated files of the project take up ${filesMbPerOwner} MB, the maximum. They are deleted after 30 days.`,
  ],
  fileNotKept: ['unavailable', 'The file cannot be kept now. Try again in a few seconds.'],
  storageUnreachable: ['unavailable', 'The file storage cannot be reached. Try again in a few seconds.'],
  typeUnsupported: ['unsupported_media_type', 'Send a JPEG, PNG, WebP, GIF, AVIF, PDF or CSV file. Its content decides, not its name.'],
})
