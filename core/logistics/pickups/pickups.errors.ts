import { defineErrors } from '../../lib/errors/define-errors.ts'

/** Errors of pickups: the code of each, and the sentence that a caller reads. */
export const pickupErrors = defineErrors({
  coordinatesIncomplete: ['invalid_request', 'Give both `lat` and `lon`, or neither.'],
})
