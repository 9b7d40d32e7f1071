import type { Context } from '../../context.ts'
import { formResponse } from '../../http/pages/form-page.ts'
import { type Language, noticeResponse } from '../../http/pages/notice-page.ts'
import { DomainError } from '../../lib/errors/domain-error.ts'
import { pageLanguage, readFormFields } from '../codes/pages.ts'
import { transferMessages } from './messages.ts'
import { decideTransfer, requireTransfer } from './transfers.ts'

/** Shows the page of a mailed link: the offer, with buttons to accept and to decline. */
export async function transferPage(context: Context, request: Request): Promise<Response> {
  const [language, token] = [pageLanguage(request), new URL(request.url).searchParams.get('token') ?? '']
  return withErrorPage(language, async () => {
    const { fromName, what } = await requireTransfer(context, token)
    const text = transferMessages[language]
    return formResponse({
      language,
      title: text.title,
      text: text.offered.replace('{from}', () => fromName).replace('{what}', () => what),
      action: '/v1/users/auth/transfer/decide',
      hidden: { token, ui_locales: language },
      buttons: [
        { name: 'action', value: 'accept', label: text.accept },
        { name: 'action', value: 'decline', label: text.decline, isPlain: true },
      ],
    })
  })
}

/** Accepts or declines a transfer with a submitted form, and shows the result. */
export async function handleTransferForm(context: Context, request: Request): Promise<Response> {
  const form = await readFormFields(request)
  const language = pageLanguage(request, form.get('ui_locales') ?? null)
  const isAccepted = form.get('action') === 'accept'
  return withErrorPage(language, async () => {
    await decideTransfer(context, form.get('token') ?? '', { isAccepted })
    const text = transferMessages[language]
    return noticeResponse({ language, title: text.title, tone: 'good', text: isAccepted ? text.accepted : text.declined })
  })
}

async function withErrorPage(language: Language, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    const text = transferMessages[language]
    if (error instanceof DomainError && error.code === 'not_found')
      return noticeResponse({ language, title: text.title, tone: 'waiting', text: text.signUpFirst })
    if (!(error instanceof DomainError) || error.code !== 'invalid_code') throw error
    return noticeResponse({ language, title: text.overTitle, tone: 'bad', text: text.over })
  }
}
