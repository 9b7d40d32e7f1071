import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of models: the code of each, and the sentence that a caller reads. */
export const modelErrors = defineErrors({
  tooManyImages: [
    'rate_limited',
    ({ hourlyMax, wait }: Values<'hourlyMax' | 'wait'>) =>
      `A store may generate ${hourlyMax} pictures an hour. Wait ${wait} s, or connect a source of models of your own.`,
  ],
  noModel: ['conflict', ({ gives }: Values<'gives'>) => `There is no model that gives ${gives}: connect a source of models first.`],
})
