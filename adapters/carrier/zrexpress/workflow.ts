import { foldName, isRow, type Row, refuse, remembered, text } from 'serai/carrier'
import { all, call, label } from './api.ts'
import type { Context } from './fields.ts'

interface WorkflowState {
  readonly id: string
  readonly name: string
  readonly description: string
}

const fold = (name: string) => foldName(name.replaceAll('_', ' '))

const usualReady = ['pret_a_expedier', 'ReadyToDispatch'].map(fold)
const statesShown = 30

const drafts = new Set(
  [
    ...['commande_recue', 'en_traitement', 'appel_confirmation', 'commande_confirmee', 'en_preparation'],
    ...['OrderReceived', 'InProcessing', 'ConfirmationCall', 'OrderConfirmed', 'InPreparation'],
  ].map(fold),
)

const nameOf = (state: unknown) => fold((isRow(state) ? text(state.name) : text(state)) ?? '')

/** Returns true for a parcel in a state before "ready to dispatch", which no hub picks up. */
export const isDraft = (row: Row) => drafts.has(nameOf(row.state))

export const readyKey = ({ settings }: Context) => `ready:${settings.readyState}`

/** Returns the id of the state in which parcels ship. It differs per tenant, so it is cached with the connection. */
export const readyStateId = (context: Context): Promise<string> =>
  remembered(context, readyKey(context), async () => {
    const states = new Map(statesIn(await all(context, 'workflows')).map((state) => [state.id, state]))
    const found = [...states.values()].filter((state) => isReady(context, state))
    if (found.length === 1) return found[0]!.id
    const known = (found.length > 0 ? found : [...states.values()]).slice(0, statesShown).map(({ id, name }) => `${name} (${id})`)
    const why = found.length > 0 ? 'has several states' : 'has no state'
    return refuse(
      'no_ready_state',
      `Your workflow at ${label} ${why} called "${context.settings.readyState}". Set readyState to the id of the state in which hubs pick up: ${known.join(', ') || 'none is listed'}.`,
    )
  })

function isReady({ settings }: Context, { id, name, description }: WorkflowState): boolean {
  const wanted = fold(settings.readyState)
  const names = usualReady.includes(wanted) ? usualReady : [wanted]
  return id === settings.readyState || names.includes(fold(name)) || names.includes(fold(description))
}

/** Finds states in a workflow, whose format is not documented: any object with an id and a name. */
function statesIn(value: unknown, depth = 5): WorkflowState[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((one) => statesIn(one, depth - 1))
  if (!isRow(value)) return []
  const [id, name, description = ''] = [text(value.id), text(value.name), text(value.description)]
  const inside = Object.values(value).flatMap((one) => statesIn(one, depth - 1))
  return id && name ? [{ id, name, description }, ...inside] : inside
}

/** Moves a draft to the state in which hubs pick it up. */
export async function makeReady(context: Context, parcelId: string): Promise<void> {
  const newStateId = await readyStateId(context)
  await call(context, 'PATCH', `parcels/${encodeURIComponent(parcelId)}/state`, {
    json: { parcelId, newStateId, comment: 'Ready to dispatch' },
  })
}
