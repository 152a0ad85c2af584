#!/usr/bin/env python3
"""Inputs of the programs that stand in for SPEC's, the same on every machine: inputs.py FOLDER.

soplex.mps a multi-commodity flow; packages.xml and .xsl a list with cross references; text a book of made-up words;
family.sto and proteins.fa sequences with a family hidden in them; film.y4m eight moving frames.
"""
import math
import pathlib
import random
import sys


def flow(path, nodes=300, arcs_wanted=2400, goods=40):
    draw = random.Random(3)
    arcs = [(i, (i + 1) % nodes) for i in range(nodes)]
    arcs += [tuple(draw.sample(range(nodes), 2)) for _ in range(arcs_wanted - nodes)]
    cost = [draw.randint(1, 60) for _ in arcs]
    room = [draw.randint(6, 16) for _ in arcs]
    wanted = [(draw.randrange(nodes), draw.randrange(nodes), draw.randint(8, 24)) for _ in range(goods)]
    with open(path, "w") as f:
        f.write("NAME FLOW FREE\nROWS\n N obj\n")
        f.writelines(f" L c{a}\n" for a in range(len(arcs)))
        f.writelines(f" E b{k}_{i}\n" for k in range(goods) for i in range(nodes))
        f.write("COLUMNS\n")
        for k in range(goods):
            for a, (u, v) in enumerate(arcs):
                f.write(f"    x{k}_{a} obj {cost[a]} c{a} 1\n    x{k}_{a} b{k}_{u} 1 b{k}_{v} -1\n")
        f.writelines(f"    s{a} obj 5000 c{a} -1\n" for a in range(len(arcs)))
        f.write("RHS\n")
        f.writelines(f"    r c{a} {room[a]}\n" for a in range(len(arcs)))
        for k, (source, sink, amount) in enumerate(wanted):
            if source != sink:
                f.write(f"    r b{k}_{source} {amount}\n    r b{k}_{sink} {-amount}\n")
        f.write("BOUNDS\nENDATA\n")


def words(draw, count):
    parts = ["ka", "lo", "mi", "ter", "an", "ver", "su", "bel", "ri", "don", "che", "ul", "fa", "ness", "qui"]
    return ["".join(draw.choice(parts) for _ in range(draw.randint(1, 4))) for _ in range(count)]


def text(path, megabytes=24):
    draw = random.Random(5)
    vocabulary = words(draw, 20000)
    weights = [1 / (i + 1) for i in range(len(vocabulary))]
    with open(path, "w") as f:
        while f.tell() < megabytes << 20:
            f.write(" ".join(draw.choices(vocabulary, weights, k=14)) + ".\n")


def packages(folder, count=2500):
    draw = random.Random(9)
    names = sorted({"-".join(words(draw, 2)) for _ in range(count)})
    draw.shuffle(names)
    with open(folder / "packages.xml", "w") as f:
        f.write('<?xml version="1.0"?>\n<pkgs>\n')
        for name in names:
            needed = draw.sample(names, draw.randint(0, 9))
            f.write(f"<pkg><package>{name}</package><section>{draw.choice(names)[:3]}</section>"
                    f"<version>{draw.randint(0, 9)}.{draw.randint(0, 99)}</version><description>{' '.join(words(draw, 40))}"
                    "</description><depends>" + "".join(f'<dep n="{n}">{n} (&gt;= 1)</dep>' for n in needed) + "</depends></pkg>\n")
        f.write("</pkgs>\n")
    (folder / "packages.xsl").write_text(
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:output method="html"/>\n'
        '<xsl:key name="by-name" match="pkg" use="package"/>\n'
        '<xsl:template match="/pkgs"><html><body><xsl:apply-templates select="pkg"><xsl:sort select="section"/>'
        '<xsl:sort select="package"/></xsl:apply-templates></body></html></xsl:template>\n'
        '<xsl:template match="pkg"><h2><xsl:value-of select="package"/></h2><p><xsl:value-of select="version"/> '
        '<xsl:value-of select="normalize-space(description)"/></p><ul><xsl:for-each select="depends/dep"><li>'
        '<xsl:value-of select="@n"/>: <xsl:value-of select="key(\'by-name\',@n)/version"/></li></xsl:for-each></ul>'
        '<p><xsl:value-of select="count(//dep[@n=current()/package])"/></p></xsl:template></xsl:stylesheet>\n')


def proteins(folder, length=400, members=24, count=6000):
    draw = random.Random(11)
    letters = "ACDEFGHIKLMNPQRSTVWY"
    model = [draw.choice(letters) for _ in range(length)]

    def member(change):
        return "".join(draw.choice(letters) if draw.random() < change else c for c in model)

    with open(folder / "family.sto", "w") as f:
        f.write("# STOCKHOLM 1.0\n")
        f.writelines(f"seq{i} {member(0.3)}\n" for i in range(members))
        f.write("//\n")
    with open(folder / "proteins.fa", "w") as f:
        for i in range(count):
            body = "".join(draw.choice(letters) for _ in range(draw.randint(100, 900)))
            f.write(f">p{i}\n{member(0.5) if i % 20 == 0 else body}\n")


def film(path, width=640, height=352, frames=8):
    draw = random.Random(13)
    side = 256
    tile = [[int(128 + 50 * math.sin(i * 0.1 + 3 * math.sin(j * 0.06)) + 40 * math.sin(j * 0.2)) + draw.randrange(16)
             for j in range(side)] for i in range(side)]
    rows = [bytes(row) * 4 for row in tile]
    with open(path, "wb") as f:
        f.write(f"YUV4MPEG2 W{width} H{height} F25:1 Ip A1:1 C420jpeg\n".encode())
        for n in range(frames):
            f.write(b"FRAME\n")
            for r in range(height):
                shift = (n * 3 + r // 45 * n // 2) % side
                f.write(rows[(r + n) % side][shift:shift + width])
            f.write(bytes((128 + (i * 7 + n) % 9) for i in range(width * height // 2)))


def main():
    folder = pathlib.Path(sys.argv[1])
    flow(folder / "soplex.mps")
    text(folder / "text")
    packages(folder)
    proteins(folder)
    film(folder / "film.y4m")


main()
