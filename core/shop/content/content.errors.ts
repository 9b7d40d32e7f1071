import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of content: the code of each, and the sentence that a caller reads. */
export const contentErrors = defineErrors({
  tooManyFeedbacks: [
    'rate_limited',
    ({ feedbacksPerHour, wait }: Values<'feedbacksPerHour' | 'wait'>) =>
      `A store accepts at most ${feedbacksPerHour} feedbacks an hour from one network. Wait ${wait} s.`,
  ],
  tooManyComments: [
    'conflict',
    ({ commentsMax }: Values<'commentsMax'>) => `The feedback has ${commentsMax} comments already, or was deleted.`,
  ],
  imageUnderWay: ['invalid_transition', 'The image is being generated already. Wait until it is done.'],
  tooManyPages: ['limit_reached', ({ pagesMax }: Values<'pagesMax'>) => `A store has at most ${pagesMax} pages. Remove some first.`],
  storeMissing: ['invalid_request', 'Name the store: send storeId, or its slug as store.'],
})
