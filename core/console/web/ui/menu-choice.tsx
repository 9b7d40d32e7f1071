interface MenuChoiceProps {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}

/** One of several choices in a menu; the chosen one has a mark. */
export const MenuChoice = ({ label, isChosen, onChoose }: MenuChoiceProps) => (
  <button type="button" aria-current={isChosen ? 'true' : undefined} onClick={onChoose}>
    {label}
  </button>
)
