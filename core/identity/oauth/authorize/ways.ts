import type { Context } from '../../../context.ts'
import type { Language } from '../../../http/pages/language.ts'
import type { Origin } from '../../auth/sign-in/open-session.ts'

export interface SocialProvider {
  readonly slug: string
  readonly label: string
}

/**
 * Ways to sign in that the page offers beside the password. Features above this one set theirs as they open: this feature knows none of them.
 */
export interface SignInWays {
  social?: {
    /** Providers that people can sign in with now. */
    list(context: Context): Promise<readonly SocialProvider[]>
    /** Sends the browser to a provider, and from there back to a path of ours. */
    leave(context: Context, request: Request, slug: string, goOnTo: string): Promise<Response>
  }
  /** Signs in with what an authenticator answered. Throws what `finishAuthentication` throws, and `invalid_request` where it is no answer. */
  passkey?(context: Context, request: Request, answer: unknown, origin: Origin): Promise<{ readonly token: string }>
  /** Mails a link to choose a new password, where there is an account with this address. Throws `rate_limited`. */
  forgot?(context: Context, asked: { readonly email: string; readonly language: Language; readonly address: string }): Promise<void>
}
