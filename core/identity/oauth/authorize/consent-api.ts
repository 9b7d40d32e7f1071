import { type Static, Type as T } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Context } from '../../../context.ts'
import { addressFor } from '../../../http/address/own-address.ts'
import type { Person } from '../../../http/auth/principal.ts'
import { readJson } from '../../../http/body/body.ts'
import { exact, Id, named, oneOf } from '../../../http/schema.ts'
import { invalidRequest, Refusal } from '../refusal.ts'
import { answering } from '../response.ts'
import { RefusedBack, readAuthorization } from './authorization.ts'
import { allow, deny, projectFor } from './consent.ts'

/** Decision of the user, sent by a program that holds their session and shows a consent page of its own. */
export const Decision = named(
  'Decision',
  exact({
    action: oneOf(['allow', 'deny']),
    project: T.Optional({ ...Id, description: 'a project that the user may manage; the oldest one by default' }),
  }),
)
/** Type of {@link ConsentDecision}. */
type DecisionBody = Static<typeof Decision>

/** Response to a decision: the address to which the browser must go. */
export const Decided = T.Object({
  data: T.Object({ location: T.String({ description: 'address to which the browser of the user must go' }) }),
})

/** Handles a decision that is sent with a session token. It needs no CSRF token, because other sites cannot send the session token. */
export const decideByProgram = (
  context: Context,
  request: Request,
  { id: userId, adminId }: Person,
  sessionId: string,
  address: string,
): Promise<Response> =>
  answering(context.log, async () => {
    // Grants outlive the session of an administrator who acts in the name of the user.
    if (adminId !== undefined)
      throw new Refusal('access_denied', 'Only users themselves can authorize an app. Sign in as the user instead of acting in their name.')
    const decision = await readJson(request)
    if (!Value.Check(Decision, decision)) throw invalidRequest('Send JSON with action (allow or deny) and, optionally, project.')
    const authorization = await readAuthorization(context, new URL(request.url).searchParams, address).catch((error) => {
      throw error instanceof RefusedBack ? error.refusal : error
    })
    const issuer = addressFor(context, request)
    if (decision.action === 'deny') return { data: { location: await deny(context, authorization, issuer) } }
    const projectId = await projectOf(context, userId, decision)
    return { data: { location: await allow(context, authorization, { session: { id: sessionId, userId }, projectId }, issuer) } }
  })

async function projectOf(context: Context, userId: string, { project }: DecisionBody): Promise<string | null> {
  const chosen = await projectFor(context, userId, project)
  if (project !== undefined && !chosen) throw invalidRequest('The user may not manage this project.')
  return chosen?.id ?? null
}
