import type { Context } from '../../context.ts'
import { readBytes } from '../../http/body/body.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { formResponse } from '../../http/pages/form-page.ts'
import { languageOf } from '../../http/pages/language.ts'
import { type Language, noticeResponse } from '../../http/pages/notice-page.ts'
import { words } from './messages.ts'
import { confirmByLink, openLink, resetPassword } from './use.ts'

const FORM_BYTES = 16 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'
const PASSWORD = { min: 8, max: 200 }

/** Of the address, else of the browser. */
export const languageFor = (request: Request, chosen: string | null = new URL(request.url).searchParams.get('ui_locales')): Language =>
  languageOf(chosen, request.headers.get('accept-language'))

/** The fields of a form of ours; the last of those that stand twice. */
export async function readFields(request: Request): Promise<ReadonlyMap<string, string>> {
  const bytes = await readBytes(request, FORM_BYTES)
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() !== FORM_TYPE) throw new ApiError('unsupported_media_type', `Send ${FORM_TYPE}.`)
  return new Map(new URLSearchParams(new TextDecoder().decode(bytes)))
}

/** Where a mail's link leads: whoever only looks at it, such as a scanner of mails, has confirmed nothing. */
export async function verifyPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [languageFor(request), tokenOf(request)]
  return orOver(language, async () => {
    const { email } = await openLink(context, 'verify_email', token)
    const say = words[language]
    return formResponse({
      language,
      title: say.verifyTitle,
      said: `${say.verifySaid} ${email}`,
      action: '/v1/__/email/verify',
      hidden: { token, ui_locales: language },
      buttons: [{ name: 'action', value: 'verify', label: say.verify }],
    })
  })
}

export async function verified(context: Context, request: Request): Promise<Response> {
  const form = await readFields(request)
  const language = languageFor(request, form.get('ui_locales') ?? null)
  return orOver(language, async () => {
    await confirmByLink(context, form.get('token') ?? '')
    const say = words[language]
    return noticeResponse({ language, title: say.verifyTitle, tone: 'good', said: say.verified })
  })
}

export async function resetPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [languageFor(request), tokenOf(request)]
  return orOver(language, async () => {
    await openLink(context, 'reset_password', token)
    return choosing(language, token)
  })
}

export async function wasReset(context: Context, request: Request): Promise<Response> {
  const form = await readFields(request)
  const language = languageFor(request, form.get('ui_locales') ?? null)
  const [token, password] = [form.get('token') ?? '', form.get('password') ?? '']
  const say = words[language]
  return orOver(language, async () => {
    const link = await openLink(context, 'reset_password', token)
    if (password.length < PASSWORD.min || password.length > PASSWORD.max) return choosing(language, token, say.tooShort)
    try {
      await resetPassword(context, link, password)
    } catch (error) {
      if (error instanceof ApiError && error.code === 'password_too_common') return choosing(language, token, say.tooCommon)
      throw error
    }
    return noticeResponse({ language, title: say.resetTitle, tone: 'good', said: say.wasReset })
  })
}

function choosing(language: Language, token: string, problem?: string): Response {
  const say = words[language]
  return formResponse({
    language,
    title: say.resetTitle,
    said: say.resetSaid,
    problem,
    action: '/v1/auth/web/reset-password-confirm',
    hidden: { token, ui_locales: language },
    fields: [
      {
        name: 'password',
        label: say.newPassword,
        type: 'password',
        autocomplete: 'new-password',
        minLength: PASSWORD.min,
        maxLength: PASSWORD.max,
      },
    ],
    buttons: [{ name: 'action', value: 'reset', label: say.reset }],
  })
}

const tokenOf = (request: Request) => new URL(request.url).searchParams.get('token') ?? ''

async function orOver(language: Language, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_code') throw error
    const say = words[language]
    return noticeResponse({ language, title: say.overTitle, tone: 'bad', said: say.over })
  }
}
