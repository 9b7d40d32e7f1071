import type { Context } from '../../context.ts'
import { serverAddressFor } from '../../http/address/server-address.ts'
import { redirectTo } from '../../http/pages/notice-page.ts'
import { browserCookieHeader, readBrowserCookie } from './pages/browser.ts'
import { refusalPage } from './pages/pages.ts'
import { requireSocialClient } from './providers/clients.ts'
import { type FlowStart, startSocialFlow } from './start-flow.ts'

/** Redirects a browser to a provider and sets the cookie that identifies it on return. Shows a page when the sign-in cannot be started. */
export async function redirectToProvider(
  context: Context,
  request: Request,
  slug: string,
  options: Pick<FlowStart, 'returnTo' | 'challenge' | 'goOnTo'>,
): Promise<Response> {
  const origin = serverAddressFor(context, request)
  const isSecure = origin.startsWith('https:')
  const visitor = readBrowserCookie(request, { isSecure })
  try {
    const client = await requireSocialClient(context, slug)
    const response = redirectTo(
      await startSocialFlow(context, client, { purpose: 'sign_in', browser: visitor.digest, session: null, origin, ...options }),
    )
    response.headers.append('set-cookie', browserCookieHeader(visitor, { isSecure }))
    return response
  } catch (error) {
    return refusalPage(request, error)
  }
}
