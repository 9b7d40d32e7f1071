import type { Context } from '../../context.ts'
import { readBytes } from '../../http/body/body.ts'
import { formResponse } from '../../http/pages/form-page.ts'
import { languageOf } from '../../http/pages/language.ts'
import { type Language, noticeResponse } from '../../http/pages/notice-page.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { codeErrors } from './codes.errors.ts'
import { codeMessages } from './messages.ts'
import { confirmEmailByLink, requireLinkCode, resetPassword } from './use-code.ts'

const FORM_BYTES = 16 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'
const PASSWORD = { min: 8, max: 200 }

/** Chooses the language of a page: `ui_locales` of the address, or else the browser's preference. */
export const pageLanguage = (request: Request, chosen: string | null = new URL(request.url).searchParams.get('ui_locales')): Language =>
  languageOf(chosen, request.headers.get('accept-language'))

/** Reads the fields of a submitted form; the last value counts when a field is repeated. Throws `unsupported_media_type`. */
export async function readFormFields(request: Request): Promise<ReadonlyMap<string, string>> {
  const bytes = await readBytes(request, FORM_BYTES)
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== FORM_TYPE) throw codeErrors.formExpected({ formType: FORM_TYPE })
  return new Map(new URLSearchParams(new TextDecoder().decode(bytes)))
}

/** Shows the page that confirms an e-mail address. Opening the link confirms nothing, because mail scanners open links too. */
export async function verifyPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [pageLanguage(request), tokenOf(request)]
  return withExpiredPage(language, async () => {
    const { email } = await requireLinkCode(context, 'verify_email', token)
    const text = codeMessages[language]
    return formResponse({
      language,
      title: text.verifyTitle,
      text: `${text.verifySaid} ${email}`,
      action: '/v1/__/email/verify',
      hidden: { token, ui_locales: language },
      buttons: [{ name: 'action', value: 'verify', label: text.verify }],
    })
  })
}

/** Confirms the e-mail address of a submitted form and shows the result. */
export async function handleVerifyForm(context: Context, request: Request): Promise<Response> {
  const form = await readFormFields(request)
  const language = pageLanguage(request, form.get('ui_locales') ?? null)
  return withExpiredPage(language, async () => {
    const { email } = await confirmEmailByLink(context, form.get('token') ?? '')
    const text = codeMessages[language]
    return noticeResponse({
      language,
      title: text.verifyTitle,
      tone: 'good',
      text: text.verified,
      goesOnAs: consoleAccount(context, email),
    })
  })
}

/** Shows the page to choose a new password. */
export async function resetPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [pageLanguage(request), tokenOf(request)]
  return withExpiredPage(language, async () => {
    await requireLinkCode(context, 'reset_password', token)
    return passwordForm(language, token)
  })
}

/** Sets the password of a submitted form and shows the result, or the form again with the problem. */
export async function handleResetForm(context: Context, request: Request): Promise<Response> {
  const form = await readFormFields(request)
  const language = pageLanguage(request, form.get('ui_locales') ?? null)
  const [token, password] = [form.get('token') ?? '', form.get('password') ?? '']
  const text = codeMessages[language]
  return withExpiredPage(language, async () => {
    const link = await requireLinkCode(context, 'reset_password', token)
    if (password.length < PASSWORD.min || password.length > PASSWORD.max) return passwordForm(language, token, text.tooShort)
    try {
      await resetPassword(context, link, password)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'password_too_common') return passwordForm(language, token, text.tooCommon)
      throw error
    }
    return noticeResponse({
      language,
      title: text.resetTitle,
      tone: 'good',
      text: text.wasReset,
      goesOnAs: consoleAccount(context, link.email),
    })
  })
}

function passwordForm(language: Language, token: string, problem?: string): Response {
  const text = codeMessages[language]
  return formResponse({
    language,
    title: text.resetTitle,
    text: text.resetSaid,
    problem,
    action: '/v1/auth/web/reset-password-confirm',
    hidden: { token, ui_locales: language },
    fields: [
      {
        name: 'password',
        label: text.newPassword,
        type: 'password',
        autocomplete: 'new-password',
        minLength: PASSWORD.min,
        maxLength: PASSWORD.max,
      },
    ],
    buttons: [{ name: 'action', value: 'reset', label: text.reset }],
  })
}

/** Returns the address with which a person goes on to the console; undefined where the server has none. */
export const consoleAccount = ({ config }: Pick<Context, 'config'>, email: string): string | undefined =>
  config.console ? email : undefined

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

/** Runs `work`, and shows the page for expired links when it throws `invalid_code`. */
async function withExpiredPage(language: Language, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'invalid_code') throw error
    const text = codeMessages[language]
    return noticeResponse({ language, title: text.overTitle, tone: 'bad', text: text.over })
  }
}
