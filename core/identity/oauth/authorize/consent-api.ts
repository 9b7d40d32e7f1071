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

/** What a person decided, told by a program that holds his session: it shows him a page of its own. */
export const Decision = named(
  'Decision',
  exact({
    action: oneOf(['allow', 'deny']),
    project: T.Optional({ ...Id, description: 'of those that he may steer; the oldest, unless said' }),
  }),
)
type Decision = Static<typeof Decision>

export const Decided = T.Object({ data: T.Object({ location: T.String({ description: 'where his browser goes' }) }) })

/** The same as the page's form does, for who comes with the session itself: nobody else's page can send that. */
export const decideByProgram = (
  context: Context,
  request: Request,
  { id: userId, adminId }: Person,
  sessionId: string,
  address: string,
): Promise<Response> =>
  answering(context.log, async () => {
    // What is let in stays longer than an administrator who acts as somebody.
    if (adminId !== undefined) throw new Refusal('access_denied', 'This is for the person himself: nobody lets an app in for him.')
    const decision = await readJson(request)
    if (!Value.Check(Decision, decision)) throw invalidRequest('Send {action: allow or deny, project?} as JSON.')
    const asked = await readAuthorization(context, new URL(request.url).searchParams, address).catch((error) => {
      throw error instanceof RefusedBack ? error.refusal : error
    })
    const issuer = addressFor(context, request)
    if (decision.action === 'deny') return { data: { location: await deny(context, asked, issuer) } }
    const projectId = await projectOf(context, userId, decision)
    return { data: { location: await allow(context, asked, { session: { id: sessionId, userId }, projectId }, issuer) } }
  })

async function projectOf(context: Context, userId: string, { project }: Decision): Promise<string | null> {
  const chosen = await projectFor(context, userId, project)
  if (project !== undefined && !chosen) throw invalidRequest('The person may not steer this project.')
  return chosen?.id ?? null
}
