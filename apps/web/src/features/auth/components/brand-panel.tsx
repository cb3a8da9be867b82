/** A quiet picture beside the form: lines of current running to a point of light. Decoration only. */
export function BrandPanel() {
  return (
    <div
      aria-hidden
      className="relative m-3 hidden overflow-hidden rounded-3xl bg-[radial-gradient(120%_90%_at_80%_10%,oklch(0.5_0.1_165),oklch(0.3_0.06_172)_55%,oklch(0.2_0.035_178))] lg:block"
    >
      <svg
        aria-hidden="true"
        viewBox="0 0 600 800"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
      >
        <defs>
          <linearGradient id="line" gradientUnits="userSpaceOnUse" x1="0" x2="425">
            <stop offset="0" stopColor="white" stopOpacity="0" />
            <stop offset="0.55" stopColor="white" stopOpacity="0.32" />
            <stop offset="1" stopColor="oklch(0.88 0.15 88)" stopOpacity="0.9" />
          </linearGradient>
          <radialGradient id="glow">
            <stop offset="0" stopColor="oklch(0.95 0.12 92)" stopOpacity="0.95" />
            <stop offset="0.06" stopColor="oklch(0.9 0.15 88)" stopOpacity="0.5" />
            <stop offset="0.22" stopColor="oklch(0.85 0.155 85)" stopOpacity="0.2" />
            <stop offset="0.5" stopColor="oklch(0.85 0.155 85)" stopOpacity="0.06" />
            <stop offset="1" stopColor="oklch(0.85 0.155 85)" stopOpacity="0" />
          </radialGradient>
        </defs>
        <g fill="none" stroke="url(#line)" strokeWidth="1.25">
          {LINES.map((y) => (
            <path key={y} d={`M-20 ${y} C 180 ${y}, 220 ${400 + (y - 400) * 0.32}, 425 400`} />
          ))}
        </g>
        <circle cx="425" cy="400" r="260" fill="url(#glow)" />
        <circle cx="425" cy="400" r="4" fill="oklch(0.97 0.05 95)" />
      </svg>
    </div>
  );
}

const LINES = Array.from({ length: 21 }, (_, index) => -60 + index * 46);
