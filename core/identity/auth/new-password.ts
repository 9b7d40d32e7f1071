import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../http/errors.ts'
import { hashPassword } from '../../lib/crypto.ts'

let commonest: ReadonlySet<string> | undefined

/** Some eighteen thousand of eight characters and more; see LICENSE-zxcvbn.txt. */
function listed(): ReadonlySet<string> {
  commonest ??= new Set(
    readFileSync(join(import.meta.dir, 'commonest-passwords.txt'), 'utf8')
      .trim()
      .split('\n'),
  )
  return commonest
}

/** Whether guessers try it first: one of the commonest, with a digit or a mark after it or not, or what everybody knows of its owner. */
export function isCommon(password: string, email: string): boolean {
  const plain = password.toLowerCase()
  const [name = ''] = email.toLowerCase().split('@')
  return [plain, plain.replace(/[\d!?.*]{1,2}$/, '')].some((each) => listed().has(each)) || plain === email.toLowerCase() || plain === name
}

/** The hash of a password that somebody chose. Throws `password_too_common`. */
export function hashNewPassword(password: string, email: string): Promise<string> {
  if (isCommon(password, email))
    throw new ApiError(
      'password_too_common',
      'This password is one of those that guessers try first. Choose another, such as four random words.',
    )
  return hashPassword(password)
}
