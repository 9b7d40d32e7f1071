import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../../http/errors/errors.ts'
import { hashPassword, verifyPassword } from '../../../lib/crypto/crypto.ts'
import { isPattern } from './patterns.ts'

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

/** Letter and accent apart, as some systems type them, are the same as in one. */
const composed = (password: string) => password.normalize('NFC')

/** Whether guessers try it first: one of the commonest or a pattern, with a digit or a mark after it or not, or what everybody knows of its owner. */
export function isCommon(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase().trim()
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name) return true
  return [plain, plain.replace(/[\d!?.*]{1,2}$/, '')].some((each) => listed().has(each) || isPattern(each))
}

/** The hash of a password that somebody chose. Throws `password_too_common`. */
export function hashNewPassword(password: string, email: string): Promise<string> {
  if (isCommon(password, email))
    throw new ApiError(
      'password_too_common',
      'This password is one of those that guessers try first. Choose another, such as four random words.',
    )
  return hashPassword(composed(password))
}

/** Whether it is the password that was hashed, however its accents are typed. One that was kept as it was typed is still right as that. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (await verifyPassword(password, hash)) return true
  return composed(password) !== password && verifyPassword(composed(password), hash)
}
