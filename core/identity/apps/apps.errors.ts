import { defineErrors, type Values } from '../../lib/errors/define-errors.ts'

/** Errors of apps: the code of each, and the sentence that a caller reads. */
export const appErrors = defineErrors({
  tooManyApps: ['conflict', ({ appsMax }: Values<'appsMax'>) => `A user has at most ${appsMax} apps. Delete one first.`],
  noSecret: ['conflict', 'A public app has no secret; it uses PKCE instead.'],
})
