import type { Context } from '../../../context.ts'
import type { Language } from '../../../http/pages/language.ts'
import type { ClientOrigin } from '../../auth/sign-in/create-session.ts'

/** Identity provider as the sign-in page lists it. */
export interface SocialProvider {
  readonly slug: string
  readonly label: string
}

/**
 * Sign-in methods that the page offers beside the password. Higher features register theirs during set-up, because this feature knows none
 * of them.
 */
export interface SignInMethods {
  social?: {
    /** Lists the connected providers. */
    list(context: Context): Promise<readonly SocialProvider[]>
    /** Redirects the browser to a provider, and afterwards to a path of this server. */
    redirect(context: Context, request: Request, slug: string, goOnTo: string): Promise<Response>
  }
  /** Signs in with the response of an authenticator. Throws `invalid_credentials`, and `invalid_request` when it is not such a response. */
  passkey?(context: Context, request: Request, answer: unknown, origin: ClientOrigin): Promise<{ readonly token: string }>
  /** Mails a link to choose a new password, if an account has this address. Throws `rate_limited`. */
  sendPasswordReset?(
    context: Context,
    input: { readonly email: string; readonly language: Language; readonly address: string },
  ): Promise<void>
}
