import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of skills: the code of each, and the sentence that a caller reads. */
export const skillErrors = defineErrors({
  filePathInvalid: ['invalid_request', 'A file must be in references/, assets/ or scripts/, without a subfolder.'],
  skillTooLarge: ['invalid_request', ({ bytesMax }: Values<'bytesMax'>) => `A skill with its files may have at most ${bytesMax} bytes.`],
  tooManySkills: [
    'limit_reached',
    ({ skillsMax }: Values<'skillsMax'>) => `There may be ${skillsMax} skills. Delete one that you no longer need.`,
  ],
})
