import type { Schemas } from '../../../../api/client.ts'
import { Quantity } from '../../../../ui/form/quantity.tsx'
import { Name } from '../../../../ui/values.tsx'
import { t } from '../../../../words/words.ts'

type Order = Schemas['OrderDetails']

/** Quantities of the lines of an order, by the index of the line. */
export type ItemCounts = ReadonlyMap<number, number>

/** Returns the quantity of each line that `count` finds, without lines that have none. */
export function countItems({ fulfilment }: Pick<Order, 'fulfilment'>, count: (line: Order['fulfilment'][number]) => number): ItemCounts {
  return new Map(fulfilment.map((line) => [line.item, count(line)] as const).filter(([, quantity]) => quantity > 0))
}

/** Returns the chosen lines as the API takes them. */
export const chosenItems = (counts: ItemCounts) =>
  [...counts].filter(([, quantity]) => quantity > 0).map(([item, quantity]) => ({ item, quantity }))

interface ItemQuantitiesProps {
  readonly order: Pick<Order, 'items'>
  /** Highest quantity of each line that can be chosen. */
  readonly most: ItemCounts
  readonly chosen: ItemCounts
  readonly onChange: (chosen: ItemCounts) => void
}

/** Chooses how many pieces of each line are meant. */
export const ItemQuantities = ({ order: { items }, most, chosen, onChange }: ItemQuantitiesProps) => (
  <ul class="order-lines card">
    {[...most].map(([item, max]) => {
      const name = items[item]?.name ?? ''
      return (
        <li key={item}>
          <div class="line-name">
            <Name>{name}</Name>
            <span class="muted small">{t('order.ofCount', { count: max })}</span>
          </div>
          <Quantity
            label={t('order.quantityOf', { name })}
            value={chosen.get(item) ?? 0}
            min={0}
            max={max}
            onChange={(quantity) => onChange(new Map(chosen).set(item, quantity))}
          />
        </li>
      )
    })}
  </ul>
)
