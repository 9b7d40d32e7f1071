import type { Schemas } from '../../../../api/client.ts'
import { findWord } from '../../../../words/words.ts'

type Warning = NonNullable<Schemas['CalculatedOrder']['warnings']>[number]

/** Shows what the server warns of: an unknown place, a delivery without a price, a blocked customer. */
export const OrderWarnings = ({ warnings }: { readonly warnings: readonly Warning[] }) => (
  <>
    {warnings.map(({ code, message }) => (
      <p class="notice wait" role="status" key={code}>
        {findWord(`warning.${code}`) ?? message}
      </p>
    ))}
  </>
)
