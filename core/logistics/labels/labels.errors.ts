import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of labels: the code of each, and the sentence that a caller reads. */
export const labelErrors = defineErrors({
  labelMissing: [
    'not_found',
    ({ carrier, missing }: Values<'carrier' | 'missing'>) =>
      `${carrier} has no label for ${missing} of this store. Leave it out, or request with own: true.`,
  ],
  labelUnreadable: [
    'carrier_error',
    ({ carrier, labels }: Values<'carrier' | 'labels'>) =>
      `${carrier} returned an unreadable label for ${labels}. Leave it out, or request with own: true.`,
  ],
  printingTimedOut: ['unavailable', 'The labels could not be printed in time. Request fewer at once.'],
  printerBusy: ['unavailable', 'Too many labels are being printed. Try again in a few seconds.'],
  labelsTooLarge: [
    'payload_too_large',
    ({ bytes, bytesMax }: Values<'bytes' | 'bytesMax'>) =>
      `The labels have ${bytes} bytes together; at most ${bytesMax} are allowed. Request fewer at once.`,
  ],
})
