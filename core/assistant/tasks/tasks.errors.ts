import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of tasks: the code of each, and the sentence that a caller reads. */
export const taskErrors = defineErrors({
  costAboveLimit: [
    'invalid_request',
    ({ hold, currency }: Values<'hold' | 'currency'>) => `The task may cost up to ${hold} ${currency}. Ask for less, or raise maxCost.`,
  ],
  balanceTooLow: [
    'payment_required',
    ({ hold, currency }: Values<'hold' | 'currency'>) =>
      `The task may cost up to ${hold} ${currency}, and the balance is lower. Add credit first.`,
  ],
  tooManyOpenTasks: [
    'limit_reached',
    ({ openTasksMax }: Values<'openTasksMax'>) => `The project has ${openTasksMax} unfinished tasks. Wait until some are finished.`,
  ],
  taskNotCancellable: ['invalid_transition', ({ state }: Values<'state'>) => `The task is ${state}: it can no longer be cancelled.`],
  taskNotWaiting: [
    'invalid_transition',
    ({ state }: Values<'state'>) => `The task is ${state}. Only a task that waits for a person can be resolved.`,
  ],
  chargeTooHigh: [
    'amount_not_payable',
    ({ most, currency }: Values<'most' | 'currency'>) => `At most ${most} ${currency} may be charged for this task.`,
  ],
  priceUnknown: ['invalid_request', 'The price of this model is unknown before it answers: set maxCost, the most that the task may cost.'],
  picturesOfOthers: ['invalid_request', 'Only messages of the user may have pictures. Leave these out.'],
  picturesUnsupported: ['invalid_request', ({ id }: Values<'id'>) => `${id} does not accept pictures. Choose another model.`],
  tooManyPictures: [
    'invalid_request',
    ({ picturesMax }: Values<'picturesMax'>) => `A task has at most ${picturesMax} pictures. Leave some out.`,
  ],
  base64Invalid: ['invalid_request', 'This is not valid base64. Encode the bytes of the picture.'],
  pictureTypeWrong: [
    'invalid_request',
    ({ mediaType }: Values<'mediaType'>) => `The bytes of this picture are not ${mediaType}. Correct its media type.`,
  ],
  amountNotPositive: ['invalid_request', 'Send an amount above zero.'],
})
