import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of the cash of a store: the code of each, and the sentence that a caller reads. */
export const cashErrors = defineErrors({
  overviewTooSlow: [
    'unavailable',
    'Adding up the cash of this store takes too long. Try again later, or read one carrier with GET …/integrations/{key}/finance.',
  ],
})
