import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of order facts: the code of each, and the sentence that a caller reads. */
export const orderFactErrors = defineErrors({
  tooManyViews: [
    'rate_limited',
    ({ viewsPerMinute }: Values<'viewsPerMinute'>) =>
      `A store accepts at most ${viewsPerMinute} views per minute from one network. Wait a minute.`,
  ],
})
