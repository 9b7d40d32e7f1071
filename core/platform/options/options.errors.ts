import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of options: the code of each, and the sentence that a caller reads. */
export const optionErrors = defineErrors({
  tooManyOptions: [
    'limit_reached',
    ({ optionsMax }: Values<'optionsMax'>) => `There are at most ${optionsMax} options. Delete some first.`,
  ],
  publicOptionsTooLarge: [
    'limit_reached',
    ({ publicBytes }: Values<'publicBytes'>) =>
      `All public options together have at most ${publicBytes} KiB as JSON. Shorten or delete some.`,
  ],
})
