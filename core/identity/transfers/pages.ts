import type { Context } from '../../context.ts'
import { ApiError } from '../../http/errors/errors.ts'
import { formResponse } from '../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../http/pages/notice-page.ts'
import { languageFor, readFields } from '../codes/pages.ts'
import { words } from './messages.ts'
import { decideTransfer, openTransfer } from './transfers.ts'

/** Where the mail leads: who hands what over, and the two answers to that. */
export async function transferPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [languageFor(request), new URL(request.url).searchParams.get('token') ?? '']
  return orOver(language, async () => {
    const { fromName, what } = await openTransfer(context, token)
    const say = words[language]
    return formResponse({
      language,
      title: say.title,
      said: say.offered.replace('{from}', () => fromName).replace('{what}', () => what),
      action: '/v1/users/auth/transfer/decide',
      hidden: { token, ui_locales: language },
      buttons: [
        { name: 'action', value: 'accept', label: say.accept },
        { name: 'action', value: 'decline', label: say.decline, isPlain: true },
      ],
    })
  })
}

export async function transferDecided(context: Context, request: Request): Promise<Response> {
  const form = await readFields(request)
  const language = languageFor(request, form.get('ui_locales') ?? null)
  const isAccepted = form.get('action') === 'accept'
  return orOver(language, async () => {
    await decideTransfer(context, form.get('token') ?? '', isAccepted)
    const say = words[language]
    return noticeResponse({ language, title: say.title, tone: 'good', said: isAccepted ? say.accepted : say.declined })
  })
}

async function orOver(language: Language, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const say = words[language]
    if (error instanceof ApiError && error.code === 'not_found')
      return noticeResponse({ language, title: say.title, tone: 'waiting', said: say.signUpFirst })
    if (!(error instanceof ApiError) || error.code !== 'invalid_code') throw error
    return noticeResponse({ language, title: say.overTitle, tone: 'bad', said: say.over })
  }
}
