import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../../context.ts'
import { serverAddressFor } from '../../../http/address/server-address.ts'
import type { Person } from '../../../http/auth/principal.ts'
import { readJson } from '../../../http/body/body.ts'
import { exact, Id, named, oneOf } from '../../../http/schema.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { oauthResponse } from '../response.ts'
import { RedirectRefusal, readAuthorizationRequest } from './authorization.ts'
import { denyConsent, findConsentProject, grantConsent } from './consent.ts'

/** Decision of the user, sent by a program that holds their session and shows a consent page of its own. */
export const ConsentDecision = named(
  'Decision',
  exact({
    action: oneOf(['allow', 'deny']),
    project: T.Optional({ ...Id, description: 'a project that the user may manage; the oldest one by default' }),
  }),
)
/** Type of {@link ConsentDecision}. */
type DecisionBody = Static<typeof ConsentDecision>

/** Response to a decision: the address to which the browser must go. */
export const ConsentResponse = T.Object({
  data: T.Object({ location: T.String({ description: 'address to which the browser of the user must go' }) }),
})

/** Handles a decision that is sent with a session token. It needs no CSRF token, because other sites cannot send the session token. */
export const submitConsent = (
  context: Context,
  request: Request,
  { id: userId, adminId }: Person,
  sessionId: string,
  address: string,
): Promise<Response> =>
  oauthResponse(context.log, async () => {
    // Grants outlive the session of an administrator who acts in the name of the user.
    if (adminId !== undefined)
      throw new Refusal('access_denied', 'Only users themselves can authorize an app. Sign in as the user instead of acting in their name.')
    const decision = await readJson(request)
    if (!Value.Check(ConsentDecision, decision)) throw invalidRequest('Send JSON with action (allow or deny) and, optionally, project.')
    const authorization = await readAuthorizationRequest(context, new URL(request.url).searchParams, address).catch((error) => {
      throw error instanceof RedirectRefusal ? error.refusal : error
    })
    const issuer = serverAddressFor(context, request)
    if (decision.action === 'deny') return { data: { location: await denyConsent(context, authorization, issuer) } }
    const projectId = await projectOf(context, userId, decision)
    return { data: { location: await grantConsent(context, authorization, { session: { id: sessionId, userId }, projectId }, issuer) } }
  })

async function projectOf(context: Context, userId: string, { project }: DecisionBody): Promise<string | null> {
  const chosen = await findConsentProject(context, userId, project)
  if (project !== undefined && !chosen) throw invalidRequest('The user may not manage this project.')
  return chosen?.id ?? null
}
