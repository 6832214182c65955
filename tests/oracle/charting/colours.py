"""Colours as people see them: contrast by WCAG 2, and how far two are apart (CIEDE2000) for who lacks one sort
of cones wholly (Machado, Oliveira and Fernandes 2009, severity 1)."""
import math

CUES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                     (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
    "usual sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}
XYZ = ((0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047), (0.2126729, 0.7151522, 0.0721750),
       (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883))


def linear(colour):
    """The light of each channel of "#rrggbb"."""
    values = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]


def contrast(a, b):
    lights = [sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear(c))) for c in (a, b)]
    return (max(lights) + 0.05) / (min(lights) + 0.05)


def times(matrix, v):
    return [sum(m * x for m, x in zip(row, v)) for row in matrix]


def lab(colour, sight):
    seen = [min(1, max(0, v)) for v in times(CUES[sight], linear(colour))]
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in times(XYZ, seen))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def hue(a, b):
    return math.degrees(math.atan2(b, a)) % 360


def apart(one, other, sight):
    """CIEDE2000 of two colours, by Sharma, Wu and Dalal 2005."""
    return ciede2000(lab(one, sight), lab(other, sight))


def ciede2000(one, other):
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7))
    a1, a2 = a1 * stretch, a2 * stretch
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = hue(a1, b1), hue(a2, b2)
    turn, middle = h2 - h1, (h1 + h2) / 2
    if abs(turn) > 180:
        turn -= math.copysign(360, turn)
        middle += 180 if h1 + h2 < 360 else -180
    if c1 * c2 == 0:
        turn, middle = 0, h1 + h2
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * math.cos(math.radians(middle - 30)) + 0.24 * math.cos(math.radians(2 * middle))
         + 0.32 * math.cos(math.radians(3 * middle + 6)) - 0.2 * math.cos(math.radians(4 * middle - 63)))
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    by_chroma, by_hue = (c2 - c1) / (1 + 0.045 * chroma), dh / (1 + 0.015 * chroma * t)
    bend = (-math.sin(math.radians(60 * math.exp(-((middle - 275) / 25) ** 2)))
            * 2 * math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7)))
    return math.sqrt(by_light ** 2 + by_chroma ** 2 + by_hue ** 2 + bend * by_chroma * by_hue)
