import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword, verifyPassword } from '../../../lib/crypto/crypto.ts'
import { authErrors } from '../auth.errors.ts'
import { isPattern } from './patterns.ts'

let common: ReadonlySet<string> | undefined

/** Loads about 18,000 common passwords of at least eight characters; see LICENSE-zxcvbn.txt. */
function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(
    readFileSync(join(import.meta.dir, 'commonest-passwords.txt'), 'utf8')
      .trim()
      .split('\n'),
  )
  return common
}

/** Normalizes a password to NFC, because some systems type a letter and its accent separately. */
const normalizePassword = (password: string) => password.normalize('NFC')

/**
 * Tells if guessers try a password first: a common password, a pattern, either of them with digits or marks appended, or the e-mail
 * address.
 */
function isCommonPassword(password: string, email: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase().trim()
  const [name = ''] = email.toLowerCase().split('@')
  if (plain === email.toLowerCase() || plain === name) return true
  return [plain, plain.replace(/[\d!?.*]{1,2}$/, '')].some((each) => commonPasswords().has(each) || isPattern(each))
}

/** Hashes a password that a user chooses. Throws `password_too_common`. */
export function hashNewPassword(password: string, email: string): Promise<string> {
  if (isCommonPassword(password, email)) throw authErrors.passwordTooCommon()
  return hashPassword(normalizePassword(password))
}

/** Verifies a password against its hash, as typed or in its NFC form. Returns false when there is no hash. */
export async function verifyNormalizedPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (await verifyPassword(password, hash)) return true
  return normalizePassword(password) !== password && verifyPassword(normalizePassword(password), hash)
}
