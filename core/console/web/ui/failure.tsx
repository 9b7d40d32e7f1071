import { OFFLINE, RequestError } from '../api/errors.ts'
import { findErrorWords, language, t } from '../words/words.ts'
import { FormProblem } from './form/field.tsx'

/** Returns an error in the language of the page: by its code, else the server's own sentence. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof RequestError)) return t('error.unknown')
  if (error.code === OFFLINE) return t('error.offline')
  if (error.code === 'invalid_request' && error.details.length > 0) return t('error.fields')
  return findErrorWords(error.code) ?? error.message
}

/** Returns the problem of a field by the end of its pointer: `customer/phone` finds `/body/customer/phone`. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof RequestError)) return undefined
  const detail = error.details.find(({ path }) => path.endsWith(`/${field}`))
  if (!detail) return undefined
  return language.value === 'en' ? detail.message : (findErrorWords(error.code === 'invalid_request' ? '' : error.code) ?? t('error.field'))
}

/** Shows an error where a page or a form has no better place for it. */
export const Failure = ({ error }: { readonly error: unknown }) => <FormProblem>{describeFailure(error)}</FormProblem>
