import '../../styles/desk.css'
import { useEffect, useState } from 'preact/hooks'
import { useCallReasons } from '../../api/call-reasons.ts'
import { useMe } from '../../session/me.ts'
import { useStore } from '../../session/store.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useKeys } from '../../ui/keys.ts'
import { t } from '../../words/words.ts'
import { undoOutcome } from './announce.ts'
import { WorkCall } from './call/work-call.tsx'
import { Counts } from './counts.tsx'
import { type Desk, openDesk } from './desk.ts'
import { FindDialog } from './find-dialog.tsx'
import { Idle } from './idle.tsx'
import { LeaseTime } from './lease-time.tsx'
import { PlacesMenu } from './places-menu.tsx'
import { WaitingOutcomes } from './waiting-outcomes.tsx'

/** Confirmation desk: one order after the other, each with two taps: call, outcome. */
export default function DeskPage() {
  const { storeId } = useStore()
  const userId = useMe().data?.user.id
  const [desk, setDesk] = useState<Desk | null>(null)
  useEffect(() => {
    if (userId === undefined) return
    const opened = openDesk({ storeId, userId })
    setDesk(opened)
    return opened.close
  }, [storeId, userId])
  // Keeps the reasons at hand, so that a cancellation needs no network.
  useCallReasons('cancelled')
  return desk ? <OpenDesk desk={desk} /> : <main class="page" aria-busy="true" />
}

function OpenDesk({ desk }: { readonly desk: Desk }) {
  const store = useStore()
  const [isFinding, setFinding] = useState(false)
  const canFind = store.can('listOrders') && store.can('takeConfirmation')
  // A dialog of the order on the desk has keys of its own.
  const isFree = () => document.querySelector('dialog[open]') === null
  useKeys({
    '/': () => canFind && isFree() && setFinding(true),
    u: () => isFree() && store.can('undoConfirmation') && undoOutcome(desk),
  })
  const call = desk.call.value
  return (
    <main class="desk" data-order={call?.order.id}>
      <header class="desk-head">
        <PlacesMenu />
        <h1>{t('nav.desk')}</h1>
        {call && <LeaseTime endsAt={call.endsAt} />}
        {canFind && (
          <button
            type="button"
            class="button quiet icon"
            aria-label={t('desk.find')}
            title={t('desk.find')}
            onClick={() => setFinding(true)}
          >
            <Icon name="search" />
          </button>
        )}
        <Counts orderId={call?.order.id} />
      </header>
      <div class="desk-notices">
        <WaitingOutcomes desk={desk} />
      </div>
      {call ? <WorkCall key={call.order.id} desk={desk} call={call} isCovered={isFinding} /> : <Idle desk={desk} />}
      {isFinding && <FindDialog take={desk.take} onClose={() => setFinding(false)} />}
    </main>
  )
}
