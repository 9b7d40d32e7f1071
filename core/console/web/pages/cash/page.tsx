import '../../styles/cash.css'
import { useParams, useSearch } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { NotFound } from '../../shell/notices.tsx'
import { GatewayPayoutPage } from './gateways/gateway-payout-page.tsx'
import { ImportPage } from './import/import-page.tsx'
import { CashOverview } from './overview.tsx'
import { PayoutPage } from './payout/payout-page.tsx'

/** Cash of the store: the overview, a payout of a carrier or a gateway, or a payout file on its way in. */
export default function CashPage() {
  const { can } = useStore()
  const { view } = useParams<{ view?: string }>()
  const query = new URLSearchParams(useSearch())
  const [carrier, id] = [query.get('carrier'), query.get('id')]
  if (view === undefined) return <CashOverview />
  if (view === 'payout' && carrier && id && can('carrier.cashBatch'))
    return <PayoutPage key={`${carrier} ${id}`} carrier={carrier} id={id} />
  if (view === 'gateway' && id && can('readGatewayPayout')) return <GatewayPayoutPage key={id} id={id} />
  if (view === 'import' && carrier && can('importPayout')) return <ImportPage key={carrier} carrier={carrier} />
  return <NotFound />
}
