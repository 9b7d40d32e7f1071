import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of skills: the code of each, and the sentence that a caller reads. */
export const skillErrors = defineErrors({
  frontMatterMissing: ['invalid_request', 'SKILL.md must begin with front matter: ---, name and description as YAML, ---.'],
  frontMatterTooLong: [
    'invalid_request',
    ({ charactersMax }: Values<'charactersMax'>) => `The front matter may have at most ${charactersMax} characters.`,
  ],
  frontMatterUnreadable: ['invalid_request', 'The front matter is not YAML. Write lines of name: value, without aliases.'],
  frontMatterNotAMap: ['invalid_request', 'The front matter must be lines of name: value.'],
  keyUnknown: ['invalid_request', ({ known, key }: Values<'known' | 'key'>) => `The front matter may have ${known}; not ${key}.`],
  nameInvalid: [
    'invalid_request',
    ({ charactersMax }: Values<'charactersMax'>) => `name: 1 to ${charactersMax} of a-z, 0-9 and single hyphens between them.`,
  ],
  descriptionInvalid: [
    'invalid_request',
    ({ charactersMax }: Values<'charactersMax'>) =>
      `description: 1 to ${charactersMax} characters that say what the skill does and when to use it.`,
  ],
  compatibilityInvalid: [
    'invalid_request',
    ({ charactersMax }: Values<'charactersMax'>) => `compatibility: 1 to ${charactersMax} characters.`,
  ],
  textExpected: ['invalid_request', ({ key }: Values<'key'>) => `${key}: a text.`],
  metadataInvalid: ['invalid_request', 'metadata: names with texts.'],
  filePathInvalid: ['invalid_request', 'A file must be in references/, assets/ or scripts/, without a subfolder.'],
  skillTooLarge: [
    'invalid_request',
    ({ bytesMax }: Values<'bytesMax'>) => `A skill with its files may have at most ${bytesMax} bytes. Shorten it.`,
  ],
  tooManySkills: [
    'limit_reached',
    ({ skillsMax }: Values<'skillsMax'>) => `There may be ${skillsMax} skills. Delete one that you no longer need.`,
  ],
})
