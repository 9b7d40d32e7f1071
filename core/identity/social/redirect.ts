import type { Context } from '../../context.ts'
import { addressFor } from '../../http/address/own-address.ts'
import { goOn } from '../../http/pages/notice-page.ts'
import { type Beginning, begin } from './begin.ts'
import { visitorCookie, visitorOf } from './pages/browser.ts'
import { refusalPage } from './pages/pages.ts'
import { clientFor } from './providers/clients.ts'

/** Redirects a browser to a provider and sets the cookie that identifies it on return. Shows a page when the sign-in cannot be started. */
export async function leave(
  context: Context,
  request: Request,
  slug: string,
  options: Pick<Beginning, 'returnTo' | 'challenge' | 'goOnTo'>,
): Promise<Response> {
  const origin = addressFor(context, request)
  const isSecure = origin.startsWith('https:')
  const visitor = visitorOf(request, isSecure)
  try {
    const client = await clientFor(context, slug)
    const response = goOn(await begin(context, client, { purpose: 'sign_in', browser: visitor.digest, session: null, origin, ...options }))
    response.headers.append('set-cookie', visitorCookie(visitor, isSecure))
    return response
  } catch (error) {
    return refusalPage(request, error)
  }
}
